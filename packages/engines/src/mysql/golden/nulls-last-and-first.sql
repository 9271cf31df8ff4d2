SELECT `Horsepower` AS `Horsepower`,
       `Name` AS `Name`
FROM `cars`
ORDER BY `Horsepower` IS NULL DESC, `Horsepower` DESC,
         `Name` IS NULL ASC, `Name` ASC
LIMIT 8;
-- []
